/** The name itself, then name-2, name-3, … */
export const numbered = (name: string, number: number) => (number === 1 ? name : `${name}-${number}`)
