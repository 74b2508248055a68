"""What is known of words: lists, languages, scripts, terms that carry meaning."""
