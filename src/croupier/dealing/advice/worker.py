"""The process that works out advice: each line of its input is a question, each of its output an answer.

It ends with its input, so it never outlives the server, and it gives way to everything else on the machine.
"""

import os
import sys

import msgspec

from croupier.dealing.advice.question import Question, answer

NICE = 10


def main() -> None:
    os.nice(NICE)
    questions = msgspec.json.Decoder(Question)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(questions.decode(line))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
