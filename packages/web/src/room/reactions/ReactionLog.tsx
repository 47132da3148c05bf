import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { tileIdOf } from '../stage/tiles/tiles.ts'

/** Announces the reactions on the tiles of the others to screen readers. Those of people without a visible tile are notices. */
export function ReactionLog({ room, joined: { me, session } }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const { rects } = useValue(room.stage)
  const nameOf = (id: string) => session.participants.find(each => each.participant_id === id)?.display_name
  return (
    <div role="log" aria-live="polite" aria-relevant="additions" className="visually-hidden">
      {useValue(room.call.reactions)
        .filter(({ participantId: id }) => id !== me.participant_id && rects.has(tileIdOf('person', id)))
        .map(({ id, participantId, reaction }) => (
          <p key={id}>
            {t('reactions.announce', {
              name: nameOf(participantId) || t('people.nameless'),
              reaction: t(`reactions.${reaction}`),
            })}
          </p>
        ))}
    </div>
  )
}
