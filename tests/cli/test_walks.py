"""How far a reader, and the program, has to go for one evaluation: files of ours, and how often a network is opened."""

import json
import subprocess
import sys
from pathlib import Path

from philidor.nets.leela.files import save_leela
from tests.nets.leela_nets import residual_net

# Counts our files with a function that runs (not merely loads), and how often the network's file is opened.
_WALK = """
import json, sys

opened, walked = [], set()
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)

def profile(frame, event, _):
    code, caller = frame.f_code, frame
    if event != "call" or "/philidor/" not in code.co_filename or not code.co_flags & 1:
        return
    while caller is not None:
        if caller.f_code.co_name == "<module>" and "/philidor/" in caller.f_code.co_filename:
            return
        caller = caller.f_back
    walked.add(code.co_filename.rpartition("/philidor/")[2])

from philidor.chess import Position
from philidor import load_net

sys.setprofile(profile)
load_net(sys.argv[1]).evaluate([Position()])
sys.setprofile(None)
ours = [module.__file__ for name, module in list(sys.modules.items()) if name.split(".")[0] == "philidor"]
loaded = sum(str(path).endswith(".py") for path in ours)
print(json.dumps([sorted(walked), opened.count(sys.argv[1]), loaded]))
"""


def test_an_evaluation_passes_few_files_and_opens_its_network_once(tmp_path: Path) -> None:
    path = tmp_path / "made-up.pb.gz"
    save_leela(residual_net(), path)
    done = subprocess.run([sys.executable, "-c", _WALK, str(path)], capture_output=True, text=True, check=True)
    walked, opened, loaded = json.loads(done.stdout)
    assert opened == 1
    assert len(walked) <= 25, walked
    # Loaded are packages and vocabulary too; more than these means that another format's reader came along.
    assert loaded <= 53, loaded
