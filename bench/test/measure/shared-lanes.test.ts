import { describe, expect, it } from 'vitest';
import { SharedLanes } from '../../src/contenders/shared-lanes.js';

const tick = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

describe('shared lanes', () => {
  it('keep one limit over all batches, and handle everything once', async () => {
    let running = 0;
    let most = 0;
    const handled: number[] = [];
    const lanes = new SharedLanes<number>(3, async (item) => {
      most = Math.max(most, ++running);
      await tick();
      running--;
      handled.push(item);
    });
    await Promise.all([lanes.run([0, 1, 2, 3]), lanes.run([4, 5]), lanes.run([]), lanes.run([6])]);
    await lanes.run([7]);
    expect(most).toBe(3);
    expect(handled.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('handle at once what there is nothing to wait for', () => {
    const handled: number[] = [];
    void new SharedLanes<number>(2, (item) => void handled.push(item)).run([1, 2, 3]);
    expect(handled).toEqual([1, 2, 3]);
  });

  it('end a batch once its last item is done, and fail it by an item that fails', async () => {
    const lanes = new SharedLanes<number>(2, async (item) => {
      await tick();
      if (item < 0) throw new Error('no');
    });
    const [bad, good] = await Promise.allSettled([lanes.run([1, -1, 2]), lanes.run([3, 4])]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
  });
});
