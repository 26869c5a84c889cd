"""What holds for all tests."""

import signal

# A shell that runs the tests in the background has them ignore Ctrl-C, and every program they begin inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
