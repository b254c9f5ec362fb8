"""Labels from and to the formats of others."""
