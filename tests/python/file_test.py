"""Files are whole or absent, and never somebody else's: what write_file follows, replaces, refuses and removes, as two users."""
import fcntl
import os
import pathlib
import stat
import tempfile
import unittest

from schedfarm._new_file import write_file

OTHER = 20002
MORE = (0o700, 0o770, 0o702)
NOT_ROOT = os.geteuid() != 0


class FileTest(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)
        self.path = self.folder / "page.html"

    def tearDown(self):
        self.holder.cleanup()

    def names(self):
        return sorted(os.listdir(self.folder))

    def refused(self, reason):
        before = self.names()
        with self.assertRaises(OSError) as caught:
            write_file(self.path, b"new")
        self.assertIn(reason, str(caught.exception))
        self.assertEqual(caught.exception.filename, str(self.path))
        self.assertEqual(self.names(), before)

    def test_replaces_a_file_and_no_other_name_of_it(self):
        self.path.write_bytes(b"page, old")
        os.link(self.path, self.folder / "other")
        write_file(self.path, b"page, new")
        self.assertEqual((self.path.read_bytes(), (self.folder / "other").read_bytes()), (b"page, new", b"page, old"))
        self.assertEqual(self.names(), ["other", "page.html"])

    def test_follows_links_only_where_nobody_else_can_have_made_them(self):
        precious = self.folder / "precious"
        for target in (precious, self.folder / "nothing yet"):
            for mode in MORE:
                for owner in (os.geteuid(),) if NOT_ROOT else (os.geteuid(), OTHER):
                    with self.subTest(target=target.name, mode=oct(mode), owner=owner):
                        precious.write_bytes(b"precious")
                        (self.folder / "nothing yet").unlink(missing_ok=True)
                        self.path.unlink(missing_ok=True)
                        self.path.symlink_to(target.name)
                        os.chown(self.path, owner, -1, follow_symlinks=False)
                        self.folder.chmod(mode)
                        if mode == 0o700 and owner == os.geteuid():
                            write_file(self.path, b"precious no more")
                            self.assertEqual(target.read_bytes(), b"precious no more")
                        else:
                            self.refused("it is a link")
                            self.assertEqual(precious.read_bytes(), b"precious")
                        self.assertTrue(self.path.is_symlink())

    def test_refuses_what_is_no_file(self):
        self.path.mkdir()
        self.refused("it is a folder")
        self.path.rmdir()
        os.mkfifo(self.path)
        self.refused("it is not a regular file")
        self.path.unlink()
        self.path.symlink_to("page.html")
        self.refused("Too many levels of symbolic links")
        self.path = self.folder / "absent" / "page.html"
        self.refused("No such file")

    @unittest.skipUnless(NOT_ROOT, "root may write everything")
    def test_refuses_what_this_user_must_not_write(self):
        self.path.write_bytes(b"old")
        self.path.chmod(0o400)
        self.refused("Permission denied")

    def test_removes_what_killed_processes_have_left(self):
        left, under_way, other = (self.folder / f"page.html.{digit * 16}.tmp" for digit in "abc")
        unlike = self.folder / "page.html.tmp"
        for path in (left, under_way, other, unlike):
            path.write_bytes(b"x")
        kept = [unlike, under_way]
        if not NOT_ROOT:
            os.chown(other, OTHER, -1)
            kept.append(other)
        with under_way.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            write_file(self.path, b"new")
        self.assertEqual(self.names(), sorted(["page.html", *(path.name for path in kept)]))

    def test_gives_files_the_usual_permissions(self):
        mask = os.umask(0o027)
        try:
            write_file(self.path, b"new")
        finally:
            os.umask(mask)
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o640)


if __name__ == "__main__":
    unittest.main()
