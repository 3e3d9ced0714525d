# Shared by run and test: a virtual environment beside the project, and Qt's system libraries.
# Everything it says goes to stderr, so that results on stdout stay clean.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv="$root/.venv"
constraints="$root/packaging/constraints.txt"
qt_packages="libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libxcb-cursor0
  libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-image0 libxcb-render-util0 libxcb-xkb1 libxcb-randr0
  libxcb-xinerama0"

say() { printf '%s\n' "$*" >&2; }

missing_packages() {
  command -v dpkg-query >/dev/null || return 0
  local name
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$name"
  done
}

install_packages() {
  local missing sudo=""
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if sudo -n true 2>/dev/null; then sudo="sudo -n"; else
      say "Please install these system packages once: sudo apt-get install $missing"
      return 0
    fi
  fi
  say "Installing system packages: $missing"
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 || true
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2 ||
    say "Could not install: $missing"
}

find_python() {
  local name
  for name in python3.11 python3.12 python3.13 python3; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      printf '%s' "$name"
      return
    fi
  done
  say "Python 3.11 or newer is needed: sudo apt-get install python3"
  exit 1
}

# make_environment EXTRA: installs the project with an optional extra, again only when its files changed.
make_environment() {
  local python stamp wanted
  python=$(find_python)
  if [ ! -x "$venv/bin/pip" ]; then
    "$python" -c 'import ensurepip' 2>/dev/null || install_packages "$python-venv"
    say "Making the virtual environment"
    "$python" -m venv --clear "$venv" >&2
  fi
  stamp="$venv/.installed$1"
  wanted=$(cat "$root/pyproject.toml" "$constraints" | sha256sum)
  if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "Installing the program and what it needs"
    "$venv/bin/python" -m pip install -q --disable-pip-version-check -c "$constraints" -e "$root$1" >&2
    printf '%s' "$wanted" >"$stamp"
  fi
}
