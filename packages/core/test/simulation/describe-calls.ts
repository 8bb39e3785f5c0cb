import type { Answer, Args, Method } from './server.js';
import { nameOf } from './world.js';

/** The arguments of a call, for a trace. */
export function describeArgs(method: Method, args: readonly unknown[]): string {
  switch (method) {
    case 'claim': {
      const [{ wants, total, token }] = args as Args<'claim'>;
      return `${wants.map(({ name, limit }) => `${limit} ${name}`).join(', ')}; ${total} in all; ${token}`;
    }
    case 'settle': {
      const [{ items }] = args as Args<'settle'>;
      return items.map(({ job, token, outcome }) => `${nameOf(job._id)} ${outcome.type} ${token}`).join(', ');
    }
    case 'insert': {
      const [inserts] = args as Args<'insert'>;
      return inserts.map(({ job }) => `${job.name} ${job.uniqueKey ?? ''}`.trim()).join(', ');
    }
    case 'release':
      return describeClaims((args as Args<'release'>)[0]);
    case 'renew':
    case 'verify':
      return describeClaims((args as Args<'renew'>)[1]);
    case 'change': {
      const [ids, { type }] = args as Args<'change'>;
      return `${type} ${ids.map(nameOf).join(', ')}`;
    }
    case 'changeWhere':
      return (args as Args<'changeWhere'>)[1].type;
    case 'get':
    case 'remove':
      return (args as Args<'get'>)[0].map(nameOf).join(', ');
    default:
      return '';
  }
}

/** The answer to a call, for a trace. */
export function describeAnswer(method: Method, answer: unknown): string {
  switch (method) {
    case 'claim': {
      const { jobs, more } = answer as Answer<'claim'>;
      return `${jobs.map(({ _id }) => nameOf(_id)).join(', ') || 'nothing'}${more ? ', and more' : ''}`;
    }
    case 'settle':
      return (answer as Answer<'settle'>).map(({ applied }) => (applied ? 'stored' : 'too late')).join(', ');
    case 'insert':
      return (answer as Answer<'insert'>)
        .map(({ job, outcome }) => `${nameOf(job._id)} ${outcome}`)
        .join(', ');
    case 'change':
      return `${(answer as Answer<'change'>).map(({ job }) => nameOf(job._id)).join(', ') || 'nothing'} changed`;
    case 'renew':
    case 'verify':
      return `${describeClaims(answer as Answer<'renew'>) || 'nothing'} lost`;
    case 'now':
    case 'nextDueAt':
      return (answer as Date | undefined)?.toISOString().slice(11) ?? 'never';
    case 'recover':
    case 'changeWhere':
    case 'remove':
    case 'removeWhere':
      return String(answer);
    default:
      return 'done';
  }
}

function describeClaims(claims: readonly { readonly id: string; readonly token: string }[]): string {
  return claims.map(({ id, token }) => `${nameOf(id)} ${token}`).join(', ');
}
