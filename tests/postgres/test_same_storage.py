"""The tests of the store, the search index and the migrations, on PostgreSQL; less those about SQLite's file."""

from tests.unit.test_archive import (
    database,
    elsewhere,
    test_a_failure_at_the_last_fact_leaves_nothing,
    test_an_imported_chat_remembers_and_goes_on_like_the_old_one,
    test_case_39_everything_comes_out_as_it_went_in,
    test_nobody_elses_data_is_ever_in_an_export,
    test_ones_own_export_adds_nothing,
)
from tests.unit.test_migrations import (
    old_url,
    test_an_older_database_keeps_everything_and_can_be_searched,
    test_an_upgrade_that_fails_half_way_leaves_the_database_as_it_was,
    test_nothing_is_learned_from_what_was_said_before_the_upgrade,
    test_older_summaries_know_what_they_took_and_what_was_in_force_before,
)
from tests.unit.test_search import *
from tests.unit.test_store import (
    test_a_deleted_chat_is_gone_at_once_comes_back_on_undo_and_is_purged,
    test_a_newer_database_is_refused_and_untouched,
    test_a_sign_that_no_text_has_finds_nothing_and_breaks_nothing,
    test_a_silent_process_loses_its_reply_after_thirty_seconds_not_before,
    test_another_programs_database_is_refused_and_untouched,
    test_chats_are_found_by_title_and_by_what_was_said,
    test_many_processes_may_open_a_new_database_at_once,
    test_migrations_and_tables_say_the_same,
    test_only_the_holder_of_the_run_token_ends_a_reply_and_only_once,
    test_twenty_writers_at_once_lose_nothing,
    test_two_starts_of_one_reply_cannot_stand_side_by_side,
    test_what_a_provisional_owner_did_moves_to_the_browsers_own,
)
