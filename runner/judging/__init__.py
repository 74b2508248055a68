"""Models as judges: what they are asked, with all data fenced, and what is read in their replies."""
