"""Slow tests, as prefixes of their names: which `make quick` skips, and which start first.

They start servers, browsers or many processes, or judge thousands of positions. Everything else
takes half a minute on two cores.
"""

# One worker starts with each line, the longest first. A long test that starts last keeps one worker
# busy while the others have ended; servers and browsers wait, so the processor is free meanwhile.
FIRST = (
    (
        "tests/e2e/test_phone.py",
        "tests/e2e/test_screens.py",
        "tests/e2e/test_endings.py",
        "tests/e2e/",
    ),
    ("tests/server/test_cluster.py", "tests/server/test_crash.py", "tests/server/test_"),
)

SLOW = (
    "tests/play/test_driver.py::test_the_number_of_games_is_that_of_the_match",
    "tests/bots/test_simple.py::test_every_turn_is_legal_in_any_position",
    "tests/cli/table/",
    "tests/cli/test_helptext.py",
    "tests/cli/test_lab_games.py",
    "tests/cli/test_load.py",
    "tests/cli/test_play.py",
    "tests/cli/test_records.py",
    "tests/cli/test_score.py",
    "tests/cli/test_signals.py",
    "tests/cli/test_store.py",
    "tests/cli/test_streams.py",
    "tests/e2e/",
    "tests/env/test_env_doc.py",
    "tests/env/test_environment.py",
    "tests/lab/test_hands.py",
    "tests/lab/test_ray.py",
    "tests/lab/test_run_file.py::test_a_killed_run_goes_on",
    "tests/locales/test_rulebook.py",
    "tests/page/",
    "tests/play/test_endgames.py",
    "tests/play/test_record.py::test_a_record_cut",
    "tests/play/test_verification.py::test_an_honest_record_holds",
    "tests/play/test_wild_games.py",
    "tests/rules/test_against_oracle.py",
    "tests/server/edge/",
    "tests/server/jobs/",
    "tests/server/live/",
    "tests/server/ops/",
    "tests/server/rooms/test_prepared.py",
    "tests/server/rooms/test_secrecy.py",
    "tests/server/rude/",
    "tests/server/store/",
    "tests/server/test_",
    "tests/solver/cover/test_general.py::test_nothing_costs_less",
    "tests/solver/cover/test_general.py::test_prices_change_no_answer",
    "tests/solver/cover/test_sanitizers.py",
    "tests/solver/steps/test_step_order.py",
    "tests/solver/test_agreement.py",
    "tests/solver/test_named.py",
    "tests/solver/turns/test_best_turn.py::test_physical_tiles_come_back_legally",
    "tests/solver/turns/test_best_turn.py::test_rows_that_may_not_be_taken_apart",
    "tests/test_audit.py",
    "tests/test_benchmarks.py",
    "tests/test_deploy.py",
    "tests/test_package.py",
    "tests/test_page.py",
    "tests/test_readme.py",
)
