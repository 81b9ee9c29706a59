"""python -m kinebase_video."""

import sys

from .command import main

sys.exit(main())
