import { useMemo } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { createFormat } from './format.ts'

/** Formats in the user's language. */
export function useFormat() {
  const { locale } = useTexts()
  return useMemo(() => createFormat(locale), [locale])
}
