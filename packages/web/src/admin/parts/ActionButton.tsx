import { type AskedAction, useAskedAction } from './asked-action.tsx'
import { SmallButton } from './SmallButton.tsx'

/** A button that runs an action after a question. `name`: the accessible name, which names the row, too. */
export function ActionButton({ name, ...action }: Omit<AskedAction, 'danger'> & { name?: string }) {
  const { ask, isBusy, dialog } = useAskedAction()
  return (
    <>
      <SmallButton label={action.label} name={name} isBusy={isBusy} onClick={() => ask(action)} />
      {dialog}
    </>
  )
}
