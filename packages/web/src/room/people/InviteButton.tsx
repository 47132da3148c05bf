import { useSite } from '../../site/use-site.ts'
import { useValue } from '../../use-value.ts'
import type { Person } from './people.ts'

/** Calls contacts of the signed-in user into the room; nothing for guests. */
export function InviteButton({ people }: { people: readonly Person[] }) {
  const { signedIn, room } = useSite()
  const account = useValue(signedIn)
  const here = useValue(room)
  if (account.is !== 'connected' || !here) return null
  return <account.InviteToRoom tag={here.tag} insideIds={new Set(people.map(({ userId }) => userId))} />
}
