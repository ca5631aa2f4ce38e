"""Arrays, bytes and other libraries' objects on their way in and out; all are checked here."""
