/** The full name of a job: `{namespace}.{name}`, or the name alone where there is no namespace. */
export function buildJobName(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}.${name}` : name;
}
