"""Components, trees, cores, triangles, matchings, independent sets and colourings."""
