"""Files of our own making: written whole or not at all, and a private cache."""
