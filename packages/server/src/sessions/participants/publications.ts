import type { Publication } from '@lectern/protocol/control'
import { muteIfForbidden } from '../moderation/moderation.ts'
import type { MediaEvent, SessionParts } from '../ports.ts'
import { emit, type Participant, type Session } from '../session.ts'

/**
 * Applies a change that media reports, and publishes it. Events about non-participants are dropped (rule P2). A media
 * server that takes over reports again what is known: that counts as a change. And what everybody hears of first may have
 * changed already, when the report of its beginning was lost.
 */
export function applyMediaEvent(parts: SessionParts, session: Session, event: MediaEvent): void {
  const { name, body } = asAddedOrChanged(session, event)
  switch (name) {
    case 'publication.added':
    case 'publication.changed':
      if (!session.participants.has(body.publication.participant_id)) return
      session.publications.set(body.publication.publication_id, body.publication)
      break
    case 'publication.removed':
      if (!session.publications.delete(body.publication_id)) return
      break
    case 'media.moved':
      session.media = body
  }
  // TypeScript cannot see that the name and the body come from the same event.
  emit(parts, session, name, body as never)
  // A permission may have been taken away while the publication began.
  if (name === 'publication.added' || name === 'publication.changed')
    muteIfForbidden(parts, session, body.publication)
}

function asAddedOrChanged({ publications }: Session, event: MediaEvent): MediaEvent {
  if (event.name !== 'publication.added' && event.name !== 'publication.changed') return event
  const isKnown = publications.has(event.body.publication.publication_id)
  return { ...event, name: isKnown ? 'publication.changed' : 'publication.added' }
}

/** Publications end with their participant; `participant.left` implies it (rule P3). */
export function dropPublicationsOf(session: Session, participant: Participant): void {
  for (const { publication_id } of publicationsOf(session, participant))
    session.publications.delete(publication_id)
}

export const publicationsOf = ({ publications }: Session, { id }: Pick<Participant, 'id'>): Publication[] =>
  [...publications.values()].filter(({ participant_id }) => participant_id === id)
