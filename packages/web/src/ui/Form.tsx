import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { type Announced, AnnouncedError } from './announced-error.ts'

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit' | 'noValidate'> {
  onSubmit: () => unknown
}

/**
 * A form that validates itself. After it was submitted, its first invalid field has the focus, and the error of that field
 * alone is announced (WCAG 3.3.1): several alerts at once interrupt each other.
 */
export function Form({ onSubmit, children, ...props }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [submits, setSubmits] = useState(0)
  const [announced, setAnnounced] = useState<Announced | null>(null)
  useEffect(() => {
    if (submits === 0) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus()
    const errorId = field?.getAttribute('aria-describedby')
    setAnnounced(errorId ? { errorId, submits } : null)
  }, [submits])
  const submit = async () => {
    // An input that the browser cannot read, such as a date without a time, is empty to the page: the browser says what
    // is missing.
    for (const input of form.current?.querySelectorAll('input') ?? [])
      if (input.validity.badInput) return input.reportValidity()
    await onSubmit()
    setSubmits(count => count + 1)
  }
  return (
    <form
      {...props}
      ref={form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <AnnouncedError value={announced}>{children}</AnnouncedError>
    </form>
  )
}
