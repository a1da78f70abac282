"""Tests of turns, memory, facts and forgetting, on PostgreSQL: those in which the database has a say."""

from tests.unit.test_branches import (
    test_a_branch_comes_back_with_the_summary_it_had,
    test_a_fact_that_only_an_edited_message_proved_ends_and_comes_back_with_it,
    test_a_fold_that_was_under_way_when_a_message_was_edited_is_thrown_away,
    test_the_second_of_two_tabs_that_edit_one_message_is_told_so,
    test_twenty_tabs_editing_at_once_make_one_turn,
)
from tests.unit.test_fold import (
    test_a_backlog_is_folded_in_several_versions,
    test_a_failed_summary_leaves_every_message_in_the_window,
    test_a_fold_that_was_overtaken_by_a_reset_is_thrown_away,
    test_a_slow_summary_does_not_hold_up_replies_and_is_made_once,
    test_the_eleventh_message_folds_seven_and_keeps_four,
    test_undoing_a_fold_puts_its_messages_back_into_the_window,
)
from tests.unit.test_forgetting import (
    test_a_refused_summary_that_arrives_late_is_not_kept,
    test_after_deleting_a_chat_with_its_facts_no_file_holds_its_words,
    test_after_forgetting_a_fact_no_file_holds_its_words,
    test_after_forgetting_a_message_no_file_holds_its_words,
    test_forgetting_everything_leaves_nothing_but_the_owner,
    test_strangers_forget_nothing_and_learn_nothing,
    test_the_same_words_said_again_do_not_come_back_into_old_receipts,
)
from tests.unit.test_learning import (
    test_after_a_turn_the_persons_words_become_a_fact_with_its_evidence,
    test_case_23_one_fact_in_three_wordings_is_one_row,
    test_case_24_of_two_that_contradict_each_other_only_the_later_is_sent_until_the_person_decides,
    test_case_25_anothers_fact_is_not_found_by_any_act,
    test_case_27_a_forgotten_fact_is_gone_from_requests_receipts_vectors_and_the_page,
    test_case_27_the_id_of_a_forgotten_fact_is_never_given_again,
    test_case_29_korean_particles_do_not_defeat_recall,
    test_facts_changed_meanwhile_by_hand_are_not_written_over,
    test_the_same_draft_in_two_tabs_teaches_once,
)
from tests.unit.test_turns import (
    test_a_hundred_sends_of_one_draft_at_once_are_one_turn,
    test_a_receipt_names_what_did_not_fit,
    test_a_receipt_rebuilds_what_the_model_was_sent,
    test_a_stopped_reply_keeps_its_text_and_is_sent_later,
    test_a_stranger_finds_nothing,
    test_a_temporary_chat_leaves_nothing_in_the_database,
    test_one_reply_at_a_time_in_a_chat,
    test_reset_retires_everything_and_can_be_undone_until_the_next_send,
    test_the_question_is_stored_before_the_model_is_asked,
    test_what_can_be_stored_is_stored_as_typed,
)
from tests.unit.test_versions import (
    test_a_rollback_during_a_fold_wins,
    test_a_version_of_another_branch_does_not_fit,
    test_the_way_to_a_head_far_back_is_found_however_many_versions_there_are,
    test_two_tabs_that_edit_one_version_make_one,
)
