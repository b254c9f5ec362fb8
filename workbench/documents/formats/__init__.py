"""One module a format, or one package where a format needs several; each has a ``FORMAT``, which ``registry`` loads.

What many share lies beside them: ``decoding`` (bytes to text), ``lines``, ``pacing`` (when to stop), and ``office``.
"""
