"""An ffmpeg without media: it writes playlists and segments all the time, and fails on request."""

from pathlib import Path

SCRIPT = """#!/bin/sh
# Its last argument is FOLDER/%v.m3u8.
for last; do :; done
folder=${{last%/*}}
echo "$folder" >> {runs}
while [ "$(cat {does})" != fails ]; do
  if [ "$(cat {does})" = writes ]; then
    echo segment > $folder/high-0.m4s
    for name in master high medium low voice; do
      echo '#EXTM3U' > $folder/new
      mv $folder/new $folder/$name.m3u8
    done
  fi
  sleep 0.02
done
echo 'Invalid data found' >&2
exit 3
"""
TEXTS = ("writes", "fails", "stalls")


class FakeFfmpeg:
    """The program in a folder. `does` is what it does from now on: `writes`, `stalls` or `fails`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._does, self._runs = folder / "does", folder / "runs"
        self._runs.touch()
        self.does("writes")
        self.program = folder / "ffmpeg"
        self.program.write_text(SCRIPT.format(does=self._does, runs=self._runs))
        self.program.chmod(0o700)

    def does(self, what: str) -> None:
        assert what in TEXTS
        written = self._does.with_suffix(".new")
        written.write_text(what)
        written.replace(self._does)

    @property
    def runs(self) -> list[Path]:
        """The folders of its runs."""
        return [Path(line) for line in self._runs.read_text().splitlines()]
