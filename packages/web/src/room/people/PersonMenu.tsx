import { EllipsisVertical } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { Popup } from '../popup/Popup.tsx'
import { PersonActions, type PersonActionsProps } from './PersonActions.tsx'
import styles from './PersonMenu.module.css'

/** The actions on a person, in words. */
export function PersonMenu(props: PersonActionsProps) {
  const { t } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const label = t('moderation.options', { name: props.name })
  return (
    <>
      <PanelButton
        button={opener}
        icon={EllipsisVertical}
        label={label}
        isOpen={isOpen}
        onClick={() => setOpen(!isOpen)}
        iconOnly
      />
      {isOpen && (
        <Popup
          label={label}
          opener={opener}
          isFree
          isSheet
          title={props.name}
          className={styles.menu}
          onClose={() => setOpen(false)}
        >
          <PersonActions {...props} />
        </Popup>
      )}
    </>
  )
}
