"""The UCI face: any chess GUI, match runner or bot can use our engines through it."""
