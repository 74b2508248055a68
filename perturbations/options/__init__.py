"""What is known of options: orders, labels, and texts that speak of them."""
