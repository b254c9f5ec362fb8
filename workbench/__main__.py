"""``python -m workbench``: the same as the command ``workbench``."""

from .cli import main

if __name__ == "__main__":
    main()
