#!/usr/bin/env python3
"""Asks two API servers the same about custom resources and owners, and tells where their answers differ.

    agree.py public THEIRS OURS FOLDER    the definitions and samples in the files of a folder (a checkout of a project, say)
    agree.py random THEIRS OURS           random schemas and values, from a seed
    agree.py collect THEIRS OURS          owners and dependents, in every order (with a kube-controller-manager)

THEIRS and OURS are kubeconfigs, the first of a server that counts (a kube-apiserver that stands alone will do), the second of
`hack/run-apiserver.sh --kubeconfig OURS`. Both are written to, and cleaned. Needs Python 3.9 and PyYAML. Ends with 1 when anything differs.
"""

import argparse
import sys

sys.dont_write_bytecode = True

import anything
import collect
import public
from servers import Pair, Report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stories = parser.add_subparsers(required=True)
    folder = stories.add_parser("public", help="definitions and samples of others")
    for name in ("theirs", "ours", "folder"):
        folder.add_argument(name)
    folder.add_argument("--samples", type=int, default=6, help="samples of each version, at most")
    folder.add_argument("--made", type=int, default=1, help="objects made from the schema of each version")
    folder.add_argument("--changes", type=int, default=150, help="changes of each sample, at most")
    folder.add_argument("--updates", type=int, default=30, help="changes of each stored sample, at most")
    folder.set_defaults(run=public.run)
    values = stories.add_parser("random", help="random schemas and values")
    for name in ("theirs", "ours"):
        values.add_argument(name)
    values.add_argument("--values", type=int, default=10_000, help="how many, in rounds")
    values.add_argument("--each", type=int, default=50, help="how many for each definition")
    values.add_argument("--first", type=int, default=0, help="the first round, to play one again")
    values.set_defaults(run=anything.run)
    owners = stories.add_parser("collect", help="owners and dependents")
    for name in ("theirs", "ours"):
        owners.add_argument(name)
    owners.set_defaults(run=collect.run)
    for story in (folder, values, owners):
        story.add_argument("--seed", default="1")
        story.add_argument("--jobs", type=int, default=4)
        story.add_argument("--differences", type=argparse.FileType("w"), help="writes each as a line of JSON")
        story.add_argument("--most", type=int, default=20, help="differences that are printed, at most")
    options = parser.parse_args()
    report = Report(options.differences)
    options.run(Pair(options.theirs, options.ours, report, options.jobs), options)
    return 0 if report.show(options.most) else 1


if __name__ == "__main__":
    sys.exit(main())
