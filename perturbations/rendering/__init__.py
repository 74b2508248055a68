"""Questions written out as chat messages: labels, layouts, templates, the closing line."""
