import { Fragment } from 'react'

/** Sentences of the OpenAPI document: paragraphs, lists and code. */
export function Prose({ text }: { text: string }) {
  return text.split('\n\n').map(block =>
    block.startsWith('- ') ? (
      <ul key={block}>
        {block
          .split(/^- /m)
          .slice(1)
          .map(item => (
            <li key={item}>
              <Inline text={item} />
            </li>
          ))}
      </ul>
    ) : (
      <p key={block}>
        <Inline text={block} />
      </p>
    ),
  )
}

/** A text with code in backticks. */
export function Inline({ text }: { text: string }) {
  return text.split('`').map((part, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change
      <code key={i}>{part}</code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change
      <Fragment key={i}>{part}</Fragment>
    ),
  )
}
