import { Refusal } from '@lectern/protocol'
import type { CommandName, JsonObject } from '@lectern/protocol/control'
import { WATCHED_PAGES_MAX } from '@lectern/protocol/control'
import type { Boards } from '../../sessions/board/boards.ts'
import type { DeckCommand } from '../../sessions/board/deck.ts'
import type { ParticipantRef } from '../../sessions/participants/membership.ts'
import { SNAPSHOT_ANSWER_BYTES, WATCH_BUFFER_MAX_BYTES, WATCH_WAITS_MAX } from '../limits/constants.ts'
import type { ControlParts } from '../ports.ts'
import { snapshotLength } from '../v2/snapshot.ts'
import type { Command, MemberHandler, Sender } from './command.ts'
import { findMembership } from './memberships.ts'

function boardsOf({ boards }: ControlParts): Boards {
  if (!boards) throw new Refusal('board_off')
  return boards
}

/** A command of somebody who draws. */
const onPage =
  <N extends CommandName>(
    run: (boards: Boards, ref: ParticipantRef, command: Command<N>) => Promise<unknown>,
  ): MemberHandler<N> =>
  async (parts, { participant }, command) => {
    const data = await run(boardsOf(parts), participant, command)
    return data ? { data: data as JsonObject } : {}
  }

export const put = onPage<'board.put'>((boards, ref, { body }) => boards.put(ref, body))
export const remove = onPage<'board.delete'>((boards, ref, { body }) => boards.delete(ref, body))
export const restore = onPage<'board.restore'>((boards, ref, { body }) => boards.restore(ref, body))
export const move = onPage<'board.move'>((boards, ref, { body }) => boards.move(ref, body))
export const clear = onPage<'board.page_clear'>((boards, ref, { id, body }) => boards.clear(ref, id, body))

/** A command of a moderator about pages. */
export const onDeck = <N extends DeckCommand>(name: N): MemberHandler<N> =>
  onPage<N>((boards, ref, { body }) => boards.decks.change(ref, name, body))

/** The snapshot of the page precedes the answer (rule BOARD-3). */
export const watch: MemberHandler<'board.watch'> = async (
  parts,
  { sender, participant },
  { target, body },
) => {
  const { streams, answers } = parts
  const { sessionId, participantId } = participant
  const isObserver = findMembership(sender, target)?.kind === 'observer'
  const stream = () => streams.pages.find(sessionId, body.page_id)
  const isWatching = () => sender.isWatching(stream()?.id ?? '')
  if (!isWatching() && sender.watchedPages >= WATCHED_PAGES_MAX) throw new Refusal('too_many_watched_pages')
  await boardsOf(parts).open(participant, body.page_id, isObserver)
  await drained(parts, sender)
  // The page may have been closed meanwhile, and somebody who is not inside any more would never be detached.
  await boardsOf(parts).open(participant, body.page_id, isObserver)
  const opened = stream()
  if (!opened || findMembership(sender, target)?.participant !== participant) throw new Refusal('not_inside')
  if (!isWatching()) {
    if (sender.watchedPages >= WATCHED_PAGES_MAX) throw new Refusal('too_many_watched_pages')
    sender.watch(opened, participantId)
    answers.charge(sender.login.user, snapshotLength(opened) - SNAPSHOT_ANSWER_BYTES)
  }
  const { id, epoch, seq } = opened
  return { data: { stream: { stream_id: id, stream_epoch: epoch, seq: String(seq) } } }
}

export const unwatch: MemberHandler<'board.unwatch'> = async (
  { streams },
  { sender, participant: { sessionId } },
  { body },
) => {
  const stream = streams.pages.find(sessionId, body.page_id)
  if (stream) sender.unwatch(stream)
  return {}
}

/** Many snapshots at once would be more than may be buffered for a client (rule W7): each waits for those before it. */
async function drained({ boards }: ControlParts, sender: Sender): Promise<void> {
  for (let waits = 0; sender.bufferedBytes > WATCH_BUFFER_MAX_BYTES; waits++) {
    if (waits === WATCH_WAITS_MAX) throw new Refusal('temporarily_unavailable')
    await boards?.pause()
  }
}
