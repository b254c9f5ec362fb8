"""What the project claims about itself, measured."""
