import { InvalidJobIdentifierError, InvalidOptionError } from '@monque/core';
import { describe, expect, test } from 'vitest';
import { TypeNames } from '../../src/rows/type-names.js';

const QUALIFIED = 'MyApp.Jobs.SendEmail, MyApp, Version=1.0.0.0, Culture=neutral';
const LATER = 'MyApp.Jobs.SendEmail, MyApp, Version=2.0.0.0, Culture=neutral';

describe('Type names', () => {
  test('a text is the name where nothing maps it', () => {
    const names = new TypeNames();
    expect(names.nameOf(QUALIFIED)).toBe(QUALIFIED);
    expect(names.textOf('send-email')).toBe('send-email');
    expect(names.matchOf('send-email')).toEqual({ texts: ['send-email'], prefixes: [], except: [] });
  });

  test('are mapped by what comes before the first comma, whatever follows', () => {
    const names = new TypeNames({ 'MyApp.Jobs.SendEmail': 'send-email' });
    for (const text of [QUALIFIED, LATER, 'MyApp.Jobs.SendEmail']) {
      expect(names.nameOf(text)).toBe('send-email');
    }
    expect(names.nameOf('MyApp.Jobs.SendEmailLater, MyApp')).toBe('MyApp.Jobs.SendEmailLater, MyApp');
  });

  test('the whole text comes before its beginning', () => {
    const names = new TypeNames({ 'MyApp.Jobs.SendEmail': 'send-email', [LATER]: 'send-email-2' });
    expect(names.nameOf(LATER)).toBe('send-email-2');
    expect(names.matchOf('send-email').except).toEqual([LATER]);
  });

  test('new jobs get the text, the first one where there are several', () => {
    const names = new TypeNames({ [QUALIFIED]: 'send-email', 'MyApp.Old.Email': 'send-email' });
    expect(names.textOf('send-email')).toBe(QUALIFIED);
    expect(names.matchOf('send-email').texts).toEqual([QUALIFIED, 'MyApp.Old.Email', 'send-email']);
  });

  test('a name that no worker could have is refused', () => {
    expect(() => new TypeNames({ 'MyApp.Jobs.SendEmail': 'send email' })).toThrow(InvalidJobIdentifierError);
    expect(() => new TypeNames({ ' ': 'send-email' })).toThrow(InvalidOptionError);
  });
});
