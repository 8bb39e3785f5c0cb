import { Model, ObjectID } from '@tsed/mongoose';
import { Enum, Required } from '@tsed/schema';

/** An order of the shop. */
@Model({ name: 'order' })
export class Order {
  @ObjectID('id')
  _id!: string;

  @Required()
  customer!: string;

  @Required()
  total!: number;

  @Enum('placed', 'confirmed')
  status: 'placed' | 'confirmed' = 'placed';
}
