import { Hand, Pencil } from 'lucide-react'
import type { Actions } from '../../call/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'

interface Props {
  handIsUp: boolean
  raiseHand: Actions['raiseHand']
  onRename: () => void
  attempt: (act: () => Promise<unknown>) => void
}

/** Actions of every participant: change the name, raise a hand. */
export function OwnActions({ handIsUp, raiseHand, onRename, attempt }: Props) {
  const { t } = useTexts()
  return (
    <>
      <PanelButton icon={Pencil} label={t('people.rename')} onClick={onRename} iconOnly />
      <PanelButton
        icon={Hand}
        label={handIsUp ? t('room.lowerHand') : t('room.raiseHand')}
        onClick={() => attempt(() => raiseHand(!handIsUp))}
        iconOnly
      />
    </>
  )
}
