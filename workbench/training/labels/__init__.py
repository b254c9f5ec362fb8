"""What people say of blocks: labels, their store, agreement, and the formats of others."""
