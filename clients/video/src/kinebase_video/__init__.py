"""Makes motion of videos: of one camera a skeleton, of several calibrated ones metres."""
