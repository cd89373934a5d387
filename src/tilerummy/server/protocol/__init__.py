"""What goes over the wire: one module for each direction, and the documents made from them."""
