import { useSite } from '../../site/use-site.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'

/** Calls contacts of the signed-in user into the room; nothing for guests. */
export function InviteButton({ joined: { session } }: { joined: JoinedState }) {
  const { signedIn, room } = useSite()
  const account = useValue(signedIn)
  const here = useValue(room)
  if (account.is !== 'connected' || !here) return null
  const insideIds = new Set(session.participants.map(({ user_id }) => user_id))
  return <account.InviteToRoom tag={here.tag} insideIds={insideIds} />
}
