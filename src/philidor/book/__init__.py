"""The book, item by item: each listing, figure, table and experiment runs by its name (`philidor book`)."""
