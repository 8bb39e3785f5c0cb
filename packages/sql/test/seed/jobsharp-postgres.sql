-- As EF Core's Npgsql makes JobSharp's model
CREATE TABLE "Jobs" (
    "Id" character varying(36) NOT NULL,
    "TypeName" character varying(500) NOT NULL,
    "Arguments" text NULL,
    "State" integer NOT NULL,
    "CreatedAt" timestamp with time zone NOT NULL,
    "ScheduledAt" timestamp with time zone NULL,
    "ExecutedAt" timestamp with time zone NULL,
    "RetryCount" integer NOT NULL,
    "MaxRetryCount" integer NOT NULL,
    "ErrorMessage" text NULL,
    "Result" text NULL,
    "BatchId" character varying(36) NULL,
    "ParentJobId" character varying(36) NULL,
    CONSTRAINT "PK_Jobs" PRIMARY KEY ("Id"),
    CONSTRAINT "FK_Jobs_Jobs_ParentJobId" FOREIGN KEY ("ParentJobId") REFERENCES "Jobs" ("Id") ON DELETE CASCADE
);

CREATE INDEX "IX_Jobs_BatchId" ON "Jobs" ("BatchId");
CREATE INDEX "IX_Jobs_ParentJobId" ON "Jobs" ("ParentJobId");
CREATE INDEX "IX_Jobs_ScheduledAt" ON "Jobs" ("ScheduledAt");
CREATE INDEX "IX_Jobs_State" ON "Jobs" ("State");
CREATE INDEX "IX_Jobs_State_ScheduledAt" ON "Jobs" ("State", "ScheduledAt");

CREATE TABLE "RecurringJobs" (
    "Id" character varying(200) NOT NULL,
    "CronExpression" character varying(100) NOT NULL,
    "JobTypeName" character varying(500) NOT NULL,
    "JobArguments" text NULL,
    "MaxRetryCount" integer NOT NULL,
    "NextExecution" timestamp with time zone NULL,
    "LastExecution" timestamp with time zone NULL,
    "IsEnabled" boolean NOT NULL,
    "CreatedAt" timestamp with time zone NOT NULL,
    CONSTRAINT "PK_RecurringJobs" PRIMARY KEY ("Id")
);

CREATE INDEX "IX_RecurringJobs_IsEnabled" ON "RecurringJobs" ("IsEnabled");
CREATE INDEX "IX_RecurringJobs_NextExecution" ON "RecurringJobs" ("NextExecution");
