import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** Tells which values a schema accepts. */
export interface SchemaCheck<T> {
  Check(value: unknown): value is T
}

/** Compiled when first used: compiling all schemas takes a noticeable part of a start, and most processes use few of them. */
export function lazyCheck<Schema extends TSchema>(schema: Schema): SchemaCheck<Static<Schema>> {
  let compiled: SchemaCheck<Static<Schema>> | undefined
  return {
    Check: (value): value is Static<Schema> => {
      compiled ??= Compile(schema) as unknown as SchemaCheck<Static<Schema>>
      return compiled.Check(value)
    },
  }
}
