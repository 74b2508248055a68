"""What is known of options, examples and passages: orders, labels, and texts that speak of them."""
