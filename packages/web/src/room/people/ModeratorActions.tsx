import { Hand, MicOff, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import type { Actions } from '../../call/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { PanelButton } from '../../ui/PanelButton.tsx'
import type { Device, Person } from './people.ts'
import { permissionsFor } from './permissions.ts'

interface Props {
  person: Person
  name: string
  actions: Pick<Actions, 'lowerHandOf' | 'mute' | 'remove'>
  attempt: (action: () => Promise<unknown>) => void
}

/** What a moderator can do with another person. */
export function ModeratorActions({ person, name, actions, attempt }: Props) {
  const { t } = useTexts()
  const [removing, setRemoving] = useState(false)
  const may = permissionsFor(person)
  /** Applies an action to all devices that it concerns. */
  const forEach = (applies: (device: Device) => boolean, action: (id: string) => Promise<unknown>) =>
    attempt(() => Promise.all(person.devices.filter(applies).map(({ id }) => action(id))))
  const lowerHand = () => forEach(({ handRaisedAt }) => handRaisedAt !== null, actions.lowerHandOf)
  const muteThem = () =>
    forEach(
      ({ microphone }) => microphone,
      id => actions.mute(id, 'audio'),
    )

  return (
    <>
      {may.lowerHand && (
        <PanelButton icon={Hand} label={t('people.lowerHandOf', { name })} onClick={lowerHand} iconOnly />
      )}
      {may.mute && (
        <PanelButton icon={MicOff} label={t('people.mute', { name })} onClick={muteThem} iconOnly />
      )}
      {may.remove && (
        <PanelButton
          icon={UserRoundX}
          label={t('people.remove', { name })}
          onClick={() => setRemoving(true)}
          iconOnly
          danger
        />
      )}
      {removing && (
        <ConfirmDialog
          question={t('people.removeConfirm', { name })}
          verb={t('people.removeVerb')}
          cancel={t('room.cancel')}
          danger
          // Removing one device removes the person with all devices.
          onConfirm={() => attempt(() => actions.remove(person.devices[0]?.id ?? ''))}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}
