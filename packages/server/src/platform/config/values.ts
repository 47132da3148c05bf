import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A configuration key: its description, default and parser. */
export interface Key<T> {
  description: string
  form: string
  fallback: T
  /** Whether the value is or may contain a secret, or says who somebody is: support bundles do not contain it. */
  isSecret?: true
  /** Throws an Error whose message completes the sentence "Key must be …". */
  parse: (text: string) => T
}

const fail = (form: string): never => {
  throw new Error(form)
}

export const text = (description: string, fallback = ''): Key<string> => ({
  description,
  form: 'text',
  fallback,
  parse: value => value,
})

/** Text that support bundles do not contain. */
export const credential = (description: string): Key<string> => ({ ...text(description), isSecret: true })

const SECRET_MIN_CHARACTERS = 32

/** Key material. Its length counts code points; error messages never contain the value. */
export const secret = (description: string): Key<string> => {
  const form = `${SECRET_MIN_CHARACTERS} characters or more`
  return {
    description,
    form,
    fallback: '',
    isSecret: true,
    parse: value => (Array.from(value).length >= SECRET_MIN_CHARACTERS ? value : fail(form)),
  }
}

const SECRETS_MAX = 4

/** Some key material, each as in `secret`; error messages never contain the values. */
export const secrets = (description: string): Key<string[]> => {
  const form = `1 to ${SECRETS_MAX} secrets of ${SECRET_MIN_CHARACTERS} characters or more, separated by spaces`
  const isLong = (each: string) => Array.from(each).length >= SECRET_MIN_CHARACTERS
  return {
    description,
    form,
    fallback: [],
    isSecret: true,
    parse: value => {
      const list = words('').parse(value)
      return list.length <= SECRETS_MAX && list.every(isLong) ? list : fail(form)
    },
  }
}

/** A time in milliseconds since 1970; the zone is required, so that all servers mean the same. */
export const time = (description: string): Key<number | null> => {
  const form = 'a time such as 2026-12-31T00:00:00Z'
  return {
    description,
    form,
    fallback: null,
    parse: value => {
      const isComplete = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(value)
      const parsed = isComplete ? Date.parse(value) : Number.NaN
      return Number.isNaN(parsed) ? fail(form) : parsed
    },
  }
}

/** A key of a fixed length in base64url; error messages never contain the value. */
export const keyOf = (description: string, bytes: number): Key<string> => {
  const form = `${bytes} bytes in base64url without padding`
  return {
    description,
    form,
    fallback: '',
    isSecret: true,
    parse: value => {
      const decoded = Buffer.from(value, 'base64url')
      return decoded.length === bytes && decoded.toString('base64url') === value ? value : fail(form)
    },
  }
}

export const flag = (description: string, fallback: boolean): Key<boolean> => {
  const form = '0 or 1'
  return { description, form, fallback, parse: value => (/^[01]$/.test(value) ? value === '1' : fail(form)) }
}

export const integer = (description: string, fallback: number, min: number, max: number): Key<number> => {
  const form = `an integer from ${min} to ${max}`
  return {
    description,
    form,
    fallback,
    parse: value => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= min && number <= max ? number : fail(form)
    },
  }
}

/** A decimal number. */
export const number = (description: string, fallback: number, min: number, max: number): Key<number> => {
  const form = `a number from ${min} to ${max}`
  return {
    description,
    form,
    fallback,
    parse: value => {
      const parsed = /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN
      return parsed >= min && parsed <= max ? parsed : fail(form)
    },
  }
}

export const oneOf = <const T extends string>(
  description: string,
  fallback: T,
  options: readonly T[],
): Key<T> => {
  const form = `one of ${options.join(', ')}`
  return {
    description,
    form,
    fallback,
    parse: value => options.find(option => option === value) ?? fail(form),
  }
}

/** A list of words, separated by spaces. */
export const words = (description: string, fallback: string[] = []): Key<string[]> => ({
  description,
  form: 'a list separated by spaces',
  fallback,
  parse: value => value.split(/\s+/).filter(Boolean),
})

/** The addresses and networks of proxies, or the number of proxies at any address. */
export type Proxies = string[] | 1

export const proxies = (description: string): Key<Proxies> => {
  const form =
    'addresses such as 10.0.0.7, networks such as 10.0.0.0/8, loopback, linklocal or uniquelocal, separated by spaces; or 0 for none, 1 for one at any address'
  const isKnown = (each: string) =>
    /^(loopback|linklocal|uniquelocal)$/.test(each) || isIP(each) !== 0 || ipaddr.isValidCIDR(each)
  return {
    description,
    form,
    fallback: [],
    parse: value => {
      if (value === '0' || value === '1') return value === '1' ? 1 : []
      const list = words('').parse(value)
      return list.every(isKnown) ? list : fail(form)
    },
  }
}

/** Sources of CSP's frame-ancestors; rejects characters that could end the directive. */
export const ancestors = (description: string): Key<string[]> => {
  const form = "origins such as https://partner.example, 'self' or 'none', separated by spaces"
  const source = /^('self'|'none'|\*|https?:|https?:\/\/[\w*.[\]:-]+)$/i
  return {
    description,
    form,
    fallback: [],
    parse: value => {
      const sources = words('').parse(value)
      return sources.every(each => source.test(each)) ? sources : fail(form)
    },
  }
}

/**
 * An http(s) origin. Pages, assets, the API and the control socket have absolute paths, so a URL with a path
 * would break all of them.
 */
export const origin = (description: string): Key<string> => {
  const form = 'an http or https address without a path, e.g. https://meet.example.org'
  return {
    description,
    form,
    fallback: '',
    parse: value => {
      const parsed = URL.canParse(value) ? new URL(value) : fail(form)
      const { protocol, host, pathname, username, password, search, hash } = parsed
      // URL accepts hosts with characters that would end a CSP directive.
      if (!/^https?:$/.test(protocol) || !/^[\w.[\]:-]+$/.test(host)) fail(form)
      if (pathname !== '/' || username || password || search || hash) fail(form)
      return parsed.origin
    },
  }
}

/** How a push service reaches the operator (RFC 8292 section 2.1). */
export const contact = (description: string): Key<string> => {
  const form = 'an address such as mailto:admin@example.org or https://example.org/contact'
  return {
    description,
    form,
    fallback: '',
    isSecret: true,
    parse: value =>
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value) && URL.canParse(value) ? value : fail(form),
  }
}

/** An http(s) address without user name and password. Its path may be a secret. */
export const httpAddress = (description: string): Key<string> => {
  const form = 'an http or https address without a user name'
  return {
    description,
    form,
    fallback: '',
    isSecret: true,
    parse: value => {
      const parsed = URL.canParse(value) ? new URL(value) : fail(form)
      return /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password ? value : fail(form)
    },
  }
}

/** The issuer identifier of an OpenID provider: compared exactly, so it stays as it is written. */
export const issuer = (description: string): Key<string> => {
  const form = 'an http or https address without query, e.g. https://login.example.org/realms/staff'
  return {
    description,
    form,
    fallback: '',
    parse: value => {
      const parsed = URL.canParse(value) ? new URL(value) : fail(form)
      const { protocol, username, password, search, hash } = parsed
      return /^https?:$/.test(protocol) && !username && !password && !search && !hash ? value : fail(form)
    },
  }
}
