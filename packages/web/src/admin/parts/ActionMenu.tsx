import { EllipsisVertical } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { Menu } from '../../ui/Menu.tsx'
import styles from './ActionMenu.module.css'
import { type AskedAction, useAskedAction } from './asked-action.tsx'

/** `hint`: what it does, below its label. An action without a question opens something. */
export type MenuAction = { hint?: string } & (AskedAction | { label: string; open: () => void })

interface Props {
  /** The name of the thing that the actions change. */
  name: string
  actions: readonly MenuAction[]
}

const isDangerous = (action: MenuAction) => 'danger' in action && action.danger === true

/** In the last rows of a page the menu opens below its end. */
const bringIntoView = (items: HTMLElement | null) => items?.scrollIntoView({ block: 'nearest' })

/** The actions of a thing as words in a menu; those that destroy something are last and red. Nothing without actions. */
export function ActionMenu({ name, actions }: Props) {
  const { t } = useTexts()
  const { ask, dialog } = useAskedAction()
  const sorted = [...actions.filter(each => !isDangerous(each)), ...actions.filter(isDangerous)]
  if (sorted.length === 0) return dialog
  return (
    <>
      <Menu icon={EllipsisVertical} label={t('adminPages.actionsOf', { name })}>
        {close => (
          <div className={styles.items} ref={bringIntoView}>
            {sorted.map(action => (
              <button
                key={action.label}
                type="button"
                className={isDangerous(action) ? styles.danger : styles.item}
                onClick={() => {
                  close()
                  if ('open' in action) action.open()
                  else ask(action)
                }}
              >
                {action.label}
                {action.hint !== undefined && <span className={styles.hint}>{action.hint}</span>}
              </button>
            ))}
          </div>
        )}
      </Menu>
      {dialog}
    </>
  )
}
