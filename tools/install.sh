#!/bin/sh
# Installs Brinkmanship into .venv with extras, the server if none is named: tools/install.sh  ·  tools/install.sh dev
# Uses uv where it is on the machine, else the first Python that is new enough. PYTHON=... says which.
set -eu
cd "$(dirname "$0")/.."
what=".[${1:-server}]"
python=.venv/bin/python

# What Numba runs on.
fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1; }

find_python() {
	for each in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
		if fits "$each"; then
			echo "$each"
			return
		fi
	done
	cat >&2 <<-END
		Brinkmanship needs Python 3.11 to 3.14; ${PYTHON:-no command python3, python3.11 ... python3.14} is one.
		Install it (https://www.python.org, or your system's packages), or say where it is: PYTHON=/path/to/python
		With uv (https://docs.astral.sh/uv) on the machine no Python is needed: uv fetches one.
	END
	return 1
}

with_uv() {
	command -v uv >/dev/null 2>&1 || return 1
	if ! fits $python; then
		uv venv --quiet --clear --python "${PYTHON:->=3.11,<3.15}" .venv || return 1
	fi
	uv pip install --quiet --compile-bytecode --python $python --editable "$what"
}

with_pip() {
	if ! fits $python || ! $python -m pip --version >/dev/null 2>&1; then
		found=$(find_python) || exit 2
		rm -rf .venv
		"$found" -m venv .venv || {
			echo "$found cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2
			exit 2
		}
	fi
	$python -m pip install --quiet --disable-pip-version-check --editable "$what"
}

echo "Installing into .venv ..."
with_uv || with_pip
