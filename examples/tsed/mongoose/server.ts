import { MonqueModule } from '@monque/tsed';
import { Configuration } from '@tsed/di';
import { MongooseModule, MongooseService } from '@tsed/mongoose';
import '@tsed/ajv';
import '@tsed/platform-express';
import bodyParser from 'body-parser';
import { OrderJobs } from './order-jobs.js';
import { OrdersController } from './orders-controller.js';

@Configuration({
  httpPort: process.env.PORT ?? 8083,
  httpsPort: false,
  imports: [MongooseModule, MonqueModule, OrderJobs],
  middlewares: [bodyParser.json()],
  mount: { '/': [OrdersController] },
  mongoose: [
    { id: 'default', url: process.env.MONGODB_URI ?? 'mongodb://localhost:27017/shop?replicaSet=rs0' },
  ],
  monque: { dbToken: MongooseService },
})
export class Server {}
