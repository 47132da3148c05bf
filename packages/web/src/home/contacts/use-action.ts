import { useTexts } from '../../texts/use-texts.ts'
import { useAction as useDescribedAction } from '../../use-action.ts'
import { failureText } from './failure-text.ts'

/** Runs one action at a time, and has the reason why the last one failed. */
export function useAction() {
  const { t } = useTexts()
  return useDescribedAction(error => failureText(t, error))
}
