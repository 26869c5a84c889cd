"""What of chapter 4 is trained here: two kinds of policy head."""
